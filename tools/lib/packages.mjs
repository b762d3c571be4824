import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Stop } from './stop.mjs';
import { must, onPath } from './run.mjs';
import { chromiumPath, firefoxPath } from './browsers.mjs';

const header = (name) => () =>
  [
    '/usr/include',
    '/usr/include/eigen3',
    '/usr/local/include',
    '/usr/local/include/eigen3',
    '/opt/homebrew/include',
    '/opt/homebrew/include/eigen3',
  ].some((folder) => existsSync(`${folder}/${name}`));

/**
 * What each level needs, by Debian's name. `found` says that it is there
 * whoever brought it; what has no `found` is looked up in dpkg alone.
 */
const NEEDS = {
  build: [
    { apt: 'g++', found: () => onPath('g++') || onPath('c++') },
    { apt: 'git', found: () => onPath('git') },
    { apt: 'ca-certificates' },
    { apt: 'cmake', found: () => onPath('cmake') },
    { apt: 'ninja-build', found: () => onPath('ninja') },
    { apt: 'emscripten', found: () => onPath('emcmake') },
    { apt: 'libeigen3-dev', found: header('Eigen/Core') },
    { apt: 'nlohmann-json3-dev', found: header('nlohmann/json.hpp') },
  ],
  test: [
    { apt: 'chromium', found: chromiumPath },
    { apt: 'firefox-esr', found: firefoxPath },
    { apt: 'fonts-noto-cjk' },
    { apt: 'fonts-stix' },
  ],
  all: [
    { apt: 'clang-tidy', found: () => onPath('clang-tidy') },
    { apt: 'clang-format', found: () => onPath('clang-format') },
    { apt: 'orca', found: () => onPath('orca') },
    { apt: 'xvfb', found: () => onPath('Xvfb') },
    { apt: 'openbox', found: () => onPath('openbox') },
    { apt: 'xdotool', found: () => onPath('xdotool') },
    { apt: 'speech-dispatcher', found: () => onPath('speech-dispatcher') },
    { apt: 'at-spi2-core' },
    { apt: 'dbus-x11' },
    { apt: 'python3-speechd' },
    { apt: 'python3-pyatspi' },
    { apt: 'gir1.2-atspi-2.0' },
    { apt: 'gir1.2-wnck-3.0' },
    { apt: 'locales' },
  ],
};

const LEVELS = ['build', 'test', 'all'];

/** Free megabytes that the packages of a level take, downloads included. */
const MEGABYTES = { build: 2500, test: 4000, all: 5000 };

const UNTRIED = `This system is not Debian 12 or newer. The commands below are UNTRIED (未試過);
install what is missing and run this again: whatever it finds, it uses.

Ubuntu 24.04 or newer
  sudo apt-get install g++ git ca-certificates cmake ninja-build emscripten libeigen3-dev nlohmann-json3-dev
  tests: sudo apt-get install fonts-noto-cjk fonts-stix && sudo snap install chromium firefox
Fedora
  sudo dnf install gcc-c++ git ca-certificates cmake ninja-build emscripten eigen3-devel json-devel
  tests: sudo dnf install chromium firefox google-noto-sans-cjk-fonts stix-fonts
macOS (Homebrew)
  xcode-select --install
  brew install cmake ninja emscripten eigen nlohmann-json
  tests: brew install --cask chromium firefox
Any system, Emscripten from emsdk instead of a package
  git clone https://github.com/emscripten-core/emsdk && cd emsdk
  ./emsdk install latest && ./emsdk activate latest && source ./emsdk_env.sh
The screen reader run of \`npm run test:all\` needs Debian.`;

function osRelease() {
  const fields = {};
  if (!existsSync('/etc/os-release')) return fields;
  for (const line of readFileSync('/etc/os-release', 'utf8').split('\n')) {
    const [, key, value] = /^(\w+)="?(.*?)"?$/.exec(line) ?? [];
    if (key) fields[key] = value;
  }
  return fields;
}

/** Debian 12 or newer; testing and unstable have no number. */
function isKnownDebian() {
  const { ID, VERSION_ID } = osRelease();
  return ID === 'debian' && Number(VERSION_ID ?? Infinity) >= 12;
}

function installedOf(names) {
  const { stdout } = spawnSync('dpkg-query', ['-W', '-f=${Package} ${db:Status-Status}\n', ...names], {
    encoding: 'utf8',
  });
  return new Set(
    (stdout ?? '')
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  );
}

function missingFor(level, debian) {
  const needs = LEVELS.slice(0, LEVELS.indexOf(level) + 1)
    .flatMap((name) => NEEDS[name])
    .filter(({ found }) => (found ? !found() : debian));
  const installed = debian ? installedOf(needs.map(({ apt }) => apt)) : new Set();
  return needs.map(({ apt }) => apt).filter((name) => !installed.has(name));
}

async function agreed(command, needsRoot, yes) {
  if (yes || !needsRoot) return;
  if (!process.stdin.isTTY)
    throw new Stop(
      'packages are missing, and there is no terminal to ask in.',
      `Run this yourself, or run the command again with --yes:\n  ${command}`,
    );
  const terminal = createInterface({
    input: process.stdin,
    output: process.stdout,
  });
  // Ctrl+C and Ctrl+D are a no.
  const answer = await terminal.question('Run it now? [y/N] ').catch(() => '');
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim()))
    throw new Stop('nothing was installed.', `Run this yourself, then the command again:\n  ${command}`);
}

/**
 * Installs the Debian packages that a level still needs. Asks first, unless
 * run as root, with `yes`, or with CI=true. Gives back a word for the user.
 */
export async function packages(level, { yes = false } = {}) {
  const debian = isKnownDebian();
  const missing = missingFor(level, debian);
  if (missing.length === 0) return 'all there';
  if (!debian) throw new Stop(`not found: ${missing.join(', ')}.`, UNTRIED);

  const { bavail, bsize } = statfsSync('/usr');
  const free = Math.floor((bavail * bsize) / 1e6);
  if (free < MEGABYTES[level])
    throw new Stop(
      `${free} MB are free on /usr, and the packages need up to ${MEGABYTES[level]} MB.`,
      'Free some space and run the command again.',
    );

  const root = process.getuid() === 0;
  const sudo = root || !onPath('sudo') ? '' : 'sudo ';
  const options = '-y --no-install-recommends -o DPkg::Lock::Timeout=300';
  const line = `${sudo}apt-get update && ${sudo}env DEBIAN_FRONTEND=noninteractive apt-get install ${options} ${missing.join(' ')}`;
  console.log(`\n  ${line}`);
  if (!root && !onPath('sudo'))
    throw new Stop(
      'packages are missing, and there is no sudo here.',
      'Run the command above as root, then this one again.',
    );
  await agreed(line, !root, yes || process.env.CI === 'true');
  await must('installing packages', 'sh', ['-c', line], { log: 'apt', asks: true });
  return `installed ${missing.length}`;
}
