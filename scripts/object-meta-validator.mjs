#!/usr/bin/env node
// Prints the directory of `object-meta`, which tells what the API server refuses in the metadata of an object, by the API server's library:
// built once, with Go, from test/gitops/evaluators into a cache outside of the repository.
//
//   node scripts/object-meta-validator.mjs            builds it if the cache lacks it
//   node scripts/object-meta-validator.mjs --cached   builds nothing
//
// Exit status as of scripts/gitops-evaluators.mjs.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programsDirectory } from './go-build/cached-programs.mjs';

const directory = await programsDirectory(
  {
    name: 'object-meta-validator',
    title: 'object-meta',
    module: join(dirname(fileURLToPath(import.meta.url)), '..', 'test', 'gitops', 'evaluators'),
    programs: [{ name: 'object-meta', source: './object-meta', flags: [] }],
    sources: ['object-meta/main.go'],
    say: (line) => process.stderr.write(`object-meta: ${line}\n`),
  },
  'node scripts/object-meta-validator.mjs',
  'no validation of metadata by the API server',
);
process.stdout.write(`${directory}\n`);
