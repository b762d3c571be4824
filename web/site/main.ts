import { hydrateQuestions } from '../quiz/client.ts';
import { setUpScriptSwitch } from './place.ts';
import { setUpTheme } from './theme.ts';

setUpTheme();
setUpScriptSwitch();
hydrateQuestions(document);
