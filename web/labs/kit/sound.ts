/** Two octaves: 0 sounds at the low end, 1 at the high end. */
const LOW_HZ = 220;
const OCTAVES = 2;
const LONGEST_S = 3;
const NOTE_S = 0.32;
/** Time for the spoken message before the first note. */
export const LEAD_MS = 1500;

export interface Tone {
  frequency: number;
  /** −1 left … 1 right. */
  pan: number;
  start: number;
  duration: number;
}

/** One note a value from left to right: pitch is the value, pan is the place; 3 seconds at most. */
export function tones(values: number[], [low, high]: [number, number] = [0, 1]): Tone[] {
  const duration = Math.min(NOTE_S, LONGEST_S / values.length);
  return values.map((value, i) => ({
    frequency: LOW_HZ * 2 ** (OCTAVES * Math.min(1, Math.max(0, (value - low) / (high - low || 1)))),
    pan: values.length === 1 ? 0 : (2 * i) / (values.length - 1) - 1,
    start: i * duration,
    duration,
  }));
}

let playing: AudioContext | null = null;

export function isPlaying(): boolean {
  return playing !== null;
}

export function stop(): void {
  playing?.close().catch(() => undefined);
  playing = null;
}

/** Plays the tones once; `volume` is 0 to 1. False when the browser has no sound, or refuses it now. */
export function play(sequence: Tone[], volume: number): boolean {
  stop();
  if (typeof AudioContext === 'undefined') return false;
  try {
    playing = new AudioContext();
    schedule(playing, sequence, volume);
    return true;
  } catch (error) {
    console.warn(error);
    stop();
    return false;
  }
}

function schedule(context: AudioContext, sequence: Tone[], volume: number): void {
  const master = new GainNode(context, { gain: volume * 0.5 });
  master.connect(context.destination);
  const begin = context.currentTime + 0.05;
  for (const tone of sequence) {
    const at = begin + tone.start;
    const end = at + tone.duration;
    const note = new OscillatorNode(context, { type: 'triangle', frequency: tone.frequency });
    const envelope = new GainNode(context, { gain: 0 });
    // Short ramps at both ends: a note that starts or stops at once clicks.
    envelope.gain.setValueAtTime(0, at);
    envelope.gain.linearRampToValueAtTime(1, at + 0.02);
    envelope.gain.setValueAtTime(1, end - 0.04);
    envelope.gain.linearRampToValueAtTime(0, end - 0.01);
    note.connect(envelope).connect(new StereoPannerNode(context, { pan: tone.pan })).connect(master);
    note.start(at);
    note.stop(end);
  }
  const last = sequence[sequence.length - 1]!;
  setTimeout(() => {
    if (playing === context) stop();
  }, (last.start + last.duration + 0.3) * 1000);
}
