import { hydrateBoss } from './client.ts';

for (const wall of document.querySelectorAll<HTMLElement>('.boss')) hydrateBoss(wall);
