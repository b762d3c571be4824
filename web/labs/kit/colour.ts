/** Names for colours in words, one for the whole of a patch. */
export type ColourName =
  | 'black' | 'dark-grey' | 'grey' | 'light-grey' | 'white'
  | `${'' | 'dark-' | 'light-'}${'red' | 'orange' | 'yellow' | 'green' | 'cyan' | 'blue' | 'purple' | 'pink'}`
  | 'brown';

const GREYS: [number, ColourName][] = [[40, 'black'], [100, 'dark-grey'], [170, 'grey'], [225, 'light-grey'], [256, 'white']];

/** Upper ends of the hues, in degrees from red through green and blue. */
const HUES = [[15, 'red'], [42, 'orange'], [68, 'yellow'], [165, 'green'], [195, 'cyan'], [255, 'blue'], [290, 'purple'], [340, 'pink'], [360, 'red']] as const;

/** From 0 to 360: where the largest channel stands, moved by how the other two differ. */
function hue([r, g, b]: [number, number, number], largest: number, spread: number): number {
  const sixth = largest === r ? (g - b) / spread : largest === g ? 2 + (b - r) / spread : 4 + (r - g) / spread;
  return ((sixth + 6) % 6) * 60;
}

/** The everyday name of a colour with channels from 0 to 255. */
export function colourName(rgb: [number, number, number]): ColourName {
  const [largest, smallest] = [Math.max(...rgb), Math.min(...rgb)];
  const spread = largest - smallest;
  const middle = (largest + smallest) / 2;
  if (largest < 40) return 'black';
  if (spread < 22 || spread < largest * 0.14) return GREYS.find(([end]) => middle < end)![1];
  const angle = hue(rgb, largest, spread);
  const name = HUES.find(([end]) => angle <= end)![1];
  // What is called brown is a dark orange or a dull red.
  if (largest < 175 && (name === 'orange' || (name === 'red' && spread < 80))) return 'brown';
  return middle < 75 ? `dark-${name}` : middle > 178 ? `light-${name}` : name;
}
