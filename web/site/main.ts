import { setUpProgress } from '../progress/set-up.ts';
import { hydrateQuestions } from '../quiz/client.ts';
import { setUpOffline } from './offline/client.ts';
import { setUpScriptSwitch } from './place.ts';
import { setUpSelfCheck } from './self-check.ts';
import { setUpTheme } from './theme.ts';

setUpTheme();
const { store, visit } = setUpProgress();
setUpScriptSwitch(visit);
hydrateQuestions(document, store);
setUpSelfCheck(document);
setUpOffline();
