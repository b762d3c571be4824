/** An end that the user can do something about: what happened, and what to do. */
export class Stop extends Error {
  name = 'Stop';

  constructor(message, advice = '') {
    super(message);
    this.advice = advice;
  }
}

const KNOWN = [
  [
    /ENOSPC|No space left on device|not have enough free space/,
    'The disk is full. Free some space and run the command again.',
  ],
  [
    /Could not get lock|Unable to (acquire|lock)|is another process using it/,
    'Another program (an update, perhaps) is using apt. Wait until it is done and run the command again.',
  ],
  [
    /Temporary failure resolving|Could not resolve|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|Could not connect|Unable to locate package|Failed to fetch|[Nn]etwork is unreachable/,
    'The package server could not be reached. Check the network (and the proxy, if there is one) and run the command again.',
  ],
  [
    /EACCES|EROFS|Permission denied|Read-only file system/,
    'A file or folder may not be written. Run as the user who owns this folder.',
  ],
];

/** What to do about a program's output, when the cause can be read in it. */
export function adviceFor(output) {
  return KNOWN.find(([pattern]) => pattern.test(output))?.[1] ?? '';
}
