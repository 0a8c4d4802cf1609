// Does `convert` give the objects back? For every case: convert → compile → synth → compare with the case's manifests.
//
//   node scripts/accept-convert.mjs DIRECTORY      of cases: JSON files whose `manifests` are Kubernetes objects
//
// Prints a line for every difference, then `N passed, N failed` over the cases. Exit status 0 when all passed. It compares
// the objects as Kubernetes reads them: a null equals an absent field, and so do empty labels and annotations.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { capture } from './accept-cli/capture.mjs';
import { ROOT, runProgram } from './accept-cli/program.mjs';

const require = createRequire(import.meta.url);
/** Kubernetes reads YAML 1.1, where an unquoted `yes` is true. */
const QUOTED = { defaultStringType: 'QUOTE_DOUBLE' };

const [given] = process.argv.slice(2);
if (!given) {
  console.error('Usage: node scripts/accept-convert.mjs DIRECTORY');
  process.exit(2);
}

const directory = resolve(given);
const files = readdirSync(directory).filter((file) => file.endsWith('.json')).sort();
if (files.length === 0) {
  console.error(`${directory} has no case (*.json)`);
  process.exit(2);
}
const work = mkdtempSync(join(tmpdir(), 'accept-convert-'));
process.chdir(work);
let status = 1;
try {
  status = await accept();
} finally {
  if (!process.env.KEEP) rmSync(work, { recursive: true, force: true });
  else console.error(`kept in ${work}`);
}
process.exitCode = status;

async function accept() {
  installLibrary();
  const cases = files.map((file) => ({ name: basename(file, '.json'), manifests: JSON.parse(readFileSync(join(directory, file), 'utf8')).manifests, differences: [] }));
  for (const one of cases) await convert(one);
  compile(cases);
  for (const one of cases) await synthesize(one);
  let failed = 0;
  for (const { name, differences } of cases) {
    if (differences.length > 0) failed++;
    for (const difference of differences) console.log(`${name}: ${difference}`);
  }
  console.log(`${cases.length - failed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}

/** The apps find the library as their users' do: in node_modules. */
function installLibrary() {
  const modules = join(work, 'node_modules');
  mkdirSync(modules);
  symlinkSync(ROOT, join(modules, 'cdk8s-aso'), 'dir');
  for (const name of ['cdk8s', 'cdk8s-plus-27', 'constructs', '@types']) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'dir');
}

/** In this process, as the synthesis is: a start of Node and of the library for each case took most of the time. */
async function convert(one) {
  const input = join(work, `${one.name}.yaml`);
  writeFileSync(input, one.manifests.map((manifest) => stringify(manifest, QUOTED)).join('---\n'));
  const { status, err } = await capture(() => runProgram(['convert', input, '--out', join(work, one.name)]));
  if (status !== 0) one.differences.push(`convert: ${oneLine(err)}`);
}

/** One program for all cases: the library's types are read once. */
function compile(cases) {
  writeFileSync(join(work, 'package.json'), '{ "private": true }\n');
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify({
    compilerOptions: {
      target: 'ES2022', module: 'nodenext', moduleResolution: 'nodenext', strict: true, noUnusedLocals: true, skipLibCheck: true, types: ['node'], rootDir: '.', outDir: 'compiled', noEmitOnError: false,
    },
    include: cases.map(({ name }) => `${name}/*.ts`),
  }));
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  for (const line of `${stdout}\n${stderr}`.split('\n').filter((text) => text.trim() !== '')) {
    const one = cases.find(({ name }) => line.startsWith(`${name}/`)) ?? cases[0];
    one.differences.push(`compile: ${oneLine(line)}`);
  }
}

async function synthesize(one) {
  const dist = join(work, 'dist', one.name);
  process.env.CDK8S_OUTDIR = dist;
  const { status, err } = await capture(async () => {
    require(join(work, 'compiled', one.name, 'main.js'));
    return 0;
  });
  if (status !== 0) {
    one.differences.push(`synth: ${oneLine(err)}`);
    return;
  }
  const objects = readdirSync(dist).flatMap((file) => parseAllDocuments(readFileSync(join(dist, file), 'utf8')).map((document) => document.toJS())).filter((object) => object !== null);
  compare(one, objects);
}

function compare({ manifests, differences }, objects) {
  const open = [...objects];
  for (const wanted of manifests) {
    const index = open.findIndex((object) => identity(object) === identity(wanted));
    if (index < 0) {
      differences.push(`${identity(wanted)} is missing`);
      continue;
    }
    const [got] = open.splice(index, 1);
    const before = differences.length;
    differ(wanted, got, identity(wanted), differences);
    // Nothing that this program forgives may hide a difference in what is left.
    if (before === differences.length && JSON.stringify(canonical(wanted)) !== JSON.stringify(canonical(got))) differences.push(`${identity(wanted)} differs`);
  }
  for (const object of open) differences.push(`${identity(object)} was not there before`);
}

function identity({ apiVersion, kind, metadata }) {
  return `${apiVersion} ${kind} ${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
}

function differ(wanted, got, path, differences) {
  if (isObject(wanted) && isObject(got)) {
    for (const key of new Set([...Object.keys(wanted), ...Object.keys(got)])) differ(wanted[key] ?? undefined, got[key] ?? undefined, `${path}.${key}`, differences);
  } else if (Array.isArray(wanted) && Array.isArray(got)) {
    for (let i = 0; i < Math.max(wanted.length, got.length); i++) differ(wanted[i], got[i], `${path}[${i}]`, differences);
  } else if (wanted !== got && !(/\.metadata\.(labels|annotations|finalizers)$/.test(path) && isEmpty(wanted) && isEmpty(got))) {
    differences.push(oneLine(`${path} is ${JSON.stringify(got)}, was ${JSON.stringify(wanted)}`));
  }
}

/** Sorted keys, without nulls and without empty metadata. */
function canonical(value, path = []) {
  if (Array.isArray(value)) return value.map((item, i) => canonical(item, [...path, i]));
  if (!isObject(value)) return value;
  const inMetadata = path.length === 1 && path[0] === 'metadata';
  const entries = Object.keys(value).sort().map((key) => [key, canonical(value[key], [...path, key])]);
  return Object.fromEntries(entries.filter(([, item]) => item !== null && item !== undefined && !(inMetadata && isEmpty(item))));
}

function isEmpty(value) {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim();
}
