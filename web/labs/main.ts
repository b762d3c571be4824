import { defineLabs } from './kit/element.ts';

defineLabs();
