#!/usr/bin/env node
// Prints the directory of two programs: `gitops-evaluators` tells what Argo CD, Flux and kubectl make of an object, and `kubectl-yaml` what
// kubectl reads in a file, by the libraries of these tools: built once, with Go, from test/gitops/evaluators (the sums of its modules are in
// git) into a cache outside of the repository.
//
//   node scripts/gitops-evaluators.mjs            builds it if the cache lacks it (a minute)
//   node scripts/gitops-evaluators.mjs --cached   builds nothing
//
// Exit status: 0 with the directory on the standard output; 3 when it is not there (a line on the standard error says why; tests that need it
// are skipped); 2 for a wrong command line.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programsDirectory } from './go-build/cached-programs.mjs';

const directory = await programsDirectory(
  {
    name: 'gitops-evaluators',
    title: 'gitops-evaluators',
    module: join(dirname(fileURLToPath(import.meta.url)), '..', 'test', 'gitops', 'evaluators'),
    programs: [
      { name: 'gitops-evaluators', source: '.', flags: [] },
      { name: 'kubectl-yaml', source: './kubectl-yaml', flags: [] },
    ],
    sources: ['main.go', 'argo.go', 'kubectl-yaml/main.go'],
    say: (line) => process.stderr.write(`gitops-evaluators: ${line}\n`),
  },
  'node scripts/gitops-evaluators.mjs',
  'no evaluators of Argo CD and Flux',
);
process.stdout.write(`${directory}\n`);
