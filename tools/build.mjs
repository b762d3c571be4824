import { enter } from './lib/enter.mjs';

enter(() => import('./lib/build.mjs'));
