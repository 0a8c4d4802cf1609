// THIRD-PARTY-LICENSES.txt: the licences of the bundled packages in full.
import { CONTENTS } from './contents.mjs';

export function notices(packages) {
  const head = 'The programs in lib/cli, lib/controller, lib/composer, lib/sandbox and lib/programs contain these packages.\n';
  return [head, ...packages.map((entry) => `${'='.repeat(80)}\n${titleOf(entry)}\n${'='.repeat(80)}\n\n${textOf(entry)}\n`)].join('\n');
}

const titleOf = ({ manifest: { name, version }, licence }) => `${name} ${version}${licence ? ` (${licence})` : ''}`;

function textOf({ folder, manifest: { name, author, repository }, licence, texts }) {
  if (!licence && texts.length === 0) throw new Error(`${folder} is bundled but has no licence`);
  const by = typeof author === 'string' ? author : author?.name;
  const address = typeof repository === 'string' ? repository : repository?.url;
  const fallback = [`Licensed under ${licence}.`, by && `Copyright ${by}`, address].filter(Boolean).join('\n');
  return [texts.join('\n\n') || fallback, CONTENTS[name]?.notice].filter(Boolean).join('\n\n');
}
