import { enter } from './lib/enter.mjs';

enter(() => import('./lib/bundle.mjs'));
