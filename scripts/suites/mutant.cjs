// A mutant (test/mutants): the edits that the environment names, made in a source when it is loaded. No file is changed, so that other
// runs in the same clone do not meet them.
const { join } = require('node:path');

const ROOT = join(__dirname, '..', '..');
/** The environment variable: a list of `{ file, from, to }` as JSON, with paths from the root. */
const MUTANT = 'CDK8S_ASO_MUTANT';

const edits = JSON.parse(process.env[MUTANT] || '[]').map(({ file, ...edit }) => ({ file: join(ROOT, file), ...edit }));

/** The source as the mutant has it. Any other text would change what the mutant is: the text to replace has to be there once. */
function mutated(source, file) {
  return edits.filter((edit) => edit.file === file).reduce((text, { from, to }) => {
    const parts = text.split(from);
    if (parts.length !== 2) throw new Error(`${file}: the text that a mutant replaces is there ${parts.length - 1} times: ${from}`);
    return parts.join(to);
  }, source);
}

module.exports = { MUTANT, mutated, mutatedFiles: edits.map(({ file }) => file) };
