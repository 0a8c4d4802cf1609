// Names the file in each `require`: Node asks the file system several times for a path without an extension or of a folder, which a synth
// of a hundred files feels.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const REQUIRE = /\brequire\((["'])(\.[^"']*)\1\)/g;

/** The code of a file that names the files which it requires. */
export function withExtensions(file, code) {
  return code.replace(REQUIRE, (whole, quote, path) => {
    const named = [`${path}.js`, `${path}/index.js`].find((one) => existsSync(join(dirname(file), one)));
    return named === undefined ? whole : `require(${quote}${named}${quote})`;
  });
}
