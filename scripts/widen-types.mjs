// Makes the declaration files take what people write. jsii knows no literals: a property of the type `SkuName` takes the enum's members
// only. After it, `SkuName` becomes `${SkuName}` where a value goes in (props, structs, parameters), which takes the texts as well; the
// compiler then completes them, refuses others, and says which one was meant. `location` takes the known regions and any other text, and
// `BuiltInRole.fromName` the names of Azure's roles.
// Members that are `@internal` go, so that editors do not offer them; the library itself is compiled from its sources.
// Other languages read the assembly, which stays as it is.
//
//   node scripts/widen-types.mjs [DIRECTORY]      default: lib
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Declarations } from './widen/declarations.mjs';
import { widened } from './widen/edits.mjs';
import { inputs } from './widen/inputs.mjs';
import { abstractInternals, withoutInternals } from './widen/internals.mjs';

const lib = resolve(process.argv[2] ?? 'lib');
const rooms = ['assertions', 'azure', 'core', 'gitops', 'operator', 'patterns', 'platform', 'services'].map((room) => join(lib, room));
const region = join(lib, 'azure', 'region.d.ts');

const isDeclaration = (file) => file.endsWith('.d.ts');
const paths = rooms.filter(existsSync)
  .flatMap((room) => readdirSync(room, { recursive: true }).filter(isDeclaration).map((file) => join(room, file)));
const written = new Declarations();
const trees = paths.map((path) => written.file(path)).filter(({ text }) => text.includes('@internal'));
const abstract = new Set(trees.flatMap(({ tree }) => abstractInternals(tree)));
for (const { path, text, tree } of trees) {
  const left = withoutInternals(tree, abstract);
  if (left !== text) writeFileSync(path, left);
}

const declarations = new Declarations();
const indexes = paths.filter((path) => path.endsWith(`${sep}index.d.ts`));
const taken = inputs(declarations, new Set(indexes.flatMap((index) => [...declarations.exportedFrom(index)])));

/** The module with the regions, as a file names it. */
function regionsFrom(path) {
  const to = relative(dirname(path), region).replace(/\.d\.ts$/, '').split(sep).join('/');
  return to.startsWith('.') ? to : `./${to}`;
}

/** The type of a location: completion of the known regions; any text, because Azure opens new ones. */
function withRegionNames(text) {
  const names = [...text.matchAll(/static readonly [A-Z0-9_]+ = "(\w+)";/g)].map(([, name]) => `'${name}'`);
  return `${text}/** A region of Azure: one of those in \`Region\`, or another text for a region that is newer than this release. */\nexport type RegionName = ${names.join(' | ')} | (string & {});\n`;
}

const texts = paths.map((path) => [path, widened(declarations, path, taken, regionsFrom(path))]).filter(([, text]) => text !== undefined);
for (const [path, text] of texts) writeFileSync(path, text);
const known = existsSync(region) ? readFileSync(region, 'utf8') : '';
if (known !== '' && !known.includes('RegionName')) writeFileSync(region, withRegionNames(known));

/** The names of Azure's roles as a type; any text, because names have no case and Azure makes new roles. */
function withRoleNames(text, names) {
  const texts = names.map((name) => `'${name.replace(/'/g, "\\'")}'`);
  return `${text}/** The name of a built-in role: one that this release knows, or another text. */\nexport type RoleName = ${texts.join(' | ')} | (string & {});\n`;
}

const role = join(lib, 'core', 'built-in-role.d.ts');
const roles = join(lib, 'azure', 'built-in-roles');
const byName = 'static fromName(name: string)';
if (existsSync(role) && readFileSync(role, 'utf8').includes(byName)) {
  const { builtInRoleNames } = createRequire(import.meta.url)(`${roles}.js`);
  const text = readFileSync(role, 'utf8').replace(byName, byName.replace('string', 'RoleName'));
  writeFileSync(role, `import type { RoleName } from '../azure/built-in-roles';\n${text}`);
  const declared = readFileSync(`${roles}.d.ts`, 'utf8');
  if (!declared.includes('type RoleName')) writeFileSync(`${roles}.d.ts`, withRoleNames(declared, builtInRoleNames()));
}
