import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

const here = __dirname;
const root = resolve(here, '..', '..');

/** Modules that judge the controller, or simulate Kubernetes and Azure. All others assemble the controller or change it. */
const JUDGES = [
  'arm-http.ts',
  'azure-model.ts',
  'batch-answers.ts',
  'child-lists.ts',
  'delivered.ts',
  'entra.ts',
  'facts.ts',
  'faults.ts',
  'garbled.ts',
  'invariants.ts',
  'kinds.ts',
  'kube-http.ts',
  'kube-model.ts',
  'kube-watch.ts',
  'late-drift.ts',
  'limit-watch.ts',
  'limits-model.ts',
  'link.ts',
  'list-troubles.ts',
  'members.ts',
  'picture.ts',
  'process.ts',
  'quiet-hours.ts',
  'other-words.ts',
  'protocol-time.ts',
  'random.ts',
  'scheduler.ts',
  'secret-text.ts',
  'settled-writes.ts',
  'settled.ts',
  'shard-faults.ts',
  'share-proofs.ts',
  'share-watch.ts',
  'traits.ts',
  'travelled.ts',
  'tree-history.ts',
  'truth/arm-id.ts',
  'truth/credential.ts',
  'truth/guard-rails.ts',
  'truth/policy.ts',
  'truth/shares.ts',
  'truth/trees.ts',
  'user.ts',
];
/** The error in which a connection says that there is no answer: an interface, not a rule. */
const ALLOWED = [{ from: 'engine/kubernetes/types', names: ['KubernetesError'] }];

interface Import {
  readonly names: readonly string[];
  readonly isType: boolean;
  readonly from: string;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(here, file), 'utf8');
  return [...text.matchAll(/import\s+(type\s+)?(?:\{([^}]*)\}|\*\s+as\s+\w+|\w+)\s+from\s+'([^']+)'/g)].map(
    ([, type, names = '*', from = '']) => ({
      names: names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== ''),
      isType: type !== undefined,
      from,
    }),
  );
}

test.each(JUDGES)('%s shares no rule with the controller', (file) => {
  const shared = importsOf(file).flatMap(({ names, isType, from }) => {
    const target = from.startsWith('.') ? relative(root, resolve(here, file, '..', from)) : '';
    if (isType || !/^(controller|engine|runtime)\//.test(target)) return [];
    const allowed = ALLOWED.filter((rule) => rule.from === target).flatMap((rule) => rule.names);
    return names.filter((name) => !name.startsWith('type ') && !allowed.includes(name)).map((name) => `${name} of ${target}`);
  });
  expect(shared).toEqual([]);
});

test('what judges uses nothing that puts the controller together', () => {
  const others = readdirSync(here)
    .filter((file) => file.endsWith('.ts') && !JUDGES.includes(file))
    .map((file) => `./${file.slice(0, -3)}`);
  const used = JUDGES.flatMap((file) =>
    importsOf(file)
      .filter(({ from, isType }) => !isType && others.includes(from))
      .map(({ from }) => `${file}: ${from}`),
  );
  expect(used).toEqual([]);
});
