// The only tool file that an old Node must be able to read: it has to get as
// far as the message. Hence the plain syntax here, and hence the dynamic
// import of everything else.
import process from 'process';

const OLDEST = 20;

export function enter(load) {
  if (Number(process.versions.node.split('.')[0]) < OLDEST) {
    console.error(
      'This needs Node ' +
        OLDEST +
        ' or newer, and this is Node ' +
        process.versions.node +
        ' (' +
        process.execPath +
        ').\n' +
        'Debian 13 has it as `apt-get install nodejs npm`; elsewhere see https://nodejs.org/.',
    );
    process.exit(1);
  }
  load()
    .then((tool) => tool.main(process.argv.slice(2)))
    .then(
      (code) => process.exit(code || 0),
      (error) => {
        if (error && error.name === 'Stop') {
          console.error('\nStopped: ' + error.message);
          if (error.advice) console.error(error.advice);
        } else {
          console.error(error);
        }
        process.exit(1);
      },
    );
}
