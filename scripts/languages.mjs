// Makes the package in the other languages that jsii speaks, and the programs of test/languages with it (docs/languages.md).
//
//   node scripts/languages.mjs [python] [java] [go] [dotnet]     default: all; needs a built library (npx projen make) and the network
//   node scripts/languages.mjs --check                           JSON: how to run the programs of each language, or why they cannot be run
//
// Everything stays below dist/languages/. A language whose tools are missing is generated, but not compiled, and the report says so.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const out = join(root, 'dist', 'languages');
const sources = join(root, 'test', 'languages', 'programs');
const DEPENDENCIES = ['constructs', 'cdk8s', 'cdk8s-plus-27'];
const versionOf = (name) => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

class Failure extends Error {}

/** Runs a command; what it prints is shown only when it fails. */
function run(command, args, options = {}) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  if (error) throw new Failure(`${command}: ${error.message}`);
  if (status !== 0) throw new Failure(`${[command, ...args].join(' ').slice(0, 300)}\nended with ${status}:\n${`${stdout}${stderr}`.trim().split('\n').slice(-40).join('\n')}`);
  return stdout;
}

const present = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

/** Of what lies in the package for other languages: programs made from another library would prove nothing. */
function stampOf() {
  const hash = createHash('sha256');
  const programs = ['cli', 'controller', 'sandbox'].map((name) => join(root, 'lib', name) + sep);
  const files = ['lib', 'catalog'].flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !programs.some((program) => file.startsWith(program)));
  for (const file of [...files.sort(), join(root, '.jsii.gz')]) hash.update(`${relative(root, file)}\0`).update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** A copy of what is published, beside copies of what it depends on: jsii-pacmak packs and edits them in place. */
function copyOfPackage() {
  const copy = mkdtempSync(join(tmpdir(), 'cdk8s-aso-languages-'));
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const file of ['package.json', '.npmignore', ...files]) if (existsSync(join(root, file))) cpSync(join(root, file), join(copy, file), { recursive: true });
  for (const name of DEPENDENCIES) cpSync(join(root, 'node_modules', name), join(copy, 'node_modules', name), { recursive: true, dereference: true });
  return copy;
}

function pacmak(copy, target, ...flags) {
  rmSync(join(out, target), { recursive: true, force: true });
  const tool = join(root, 'node_modules', 'jsii-pacmak', 'bin', 'jsii-pacmak');
  run(process.execPath, [tool, '--npmignore=false', '--target', target, '--outdir', out, ...flags], { cwd: copy });
  return join(out, target);
}

/** Each answers the commands that run programs, or why there are none. */
const languages = {
  python(copy) {
    if (!present('python3', '-c', 'import venv')) {
      pacmak(copy, 'python', '--code-only');
      return 'python3 is not there';
    }
    const folder = pacmak(copy, 'python');
    const wheel = readdirSync(folder).find((file) => file.endsWith('.whl'));
    const venv = join(out, 'venv');
    rmSync(venv, { recursive: true, force: true });
    run('python3', ['-m', 'venv', venv]);
    const bin = join(venv, process.platform === 'win32' ? 'Scripts' : 'bin', 'python');
    // The very versions that the TypeScript twins run with.
    run(bin, ['-m', 'pip', 'install', '--quiet', join(folder, wheel), ...DEPENDENCIES.map((name) => `${name}==${versionOf(name)}`)]);
    // Clashes of names, in an enum for one, show only when a module is loaded.
    const loadAll = 'import cdk8s_aso, importlib, pkgutil\n'
      + 'for m in pkgutil.iter_modules(cdk8s_aso.__path__):\n'
      + '  if m.name != "_jsii":\n    module = importlib.import_module("cdk8s_aso." + m.name)\n    [getattr(module, name) for name in module.__all__]';
    run(bin, ['-c', loadAll]);
    const program = (...path) => [bin, join(root, ...path)];
    return {
      first: program('test', 'languages', 'programs', 'first.py'),
      shapes: program('test', 'languages', 'programs', 'shapes.py'),
      onboarding: program('examples', 'python', 'main.py'),
      webShop: program('examples', 'web-shop', 'main.py'),
    };
  },

  java(copy) {
    // The packages it depends on are generated too: so it is certain that they are the same versions as in TypeScript.
    const folder = pacmak(copy, 'java', '--code-only', '--recurse');
    if (!present('javac', '-version')) return 'javac is not there';
    if (!present('mvn', '--version')) return 'mvn is not there';
    const project = join(folder, 'runtime');
    mkdirSync(project);
    const dependency = (group, artifact, version) =>
      `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
    writeFileSync(join(project, 'pom.xml'), [
      '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>',
      '<groupId>local</groupId><artifactId>runtime</artifactId><version>1</version><dependencies>',
      dependency('software.amazon.jsii', 'jsii-runtime', versionOf('jsii-pacmak')),
      dependency('org.jetbrains', 'annotations', '19.0.0'),
      dependency('javax.annotation', 'javax.annotation-api', '1.3.2'),
      '</dependencies></project>',
    ].join('\n'));
    run('mvn', ['--quiet', '--batch-mode', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'], { cwd: project });
    const jars = readFileSync(join(project, 'classpath'), 'utf8').trim();
    const classes = join(folder, 'classes');
    const list = join(project, 'sources');
    const code = readdirSync(join(folder, 'src'), { recursive: true }).filter((file) => file.endsWith('.java')).map((file) => join(folder, 'src', file));
    writeFileSync(list, [...code, join(sources, 'First.java')].map((file) => `"${file.replaceAll('\\', '/')}"`).join('\n'));
    run('javac', ['-nowarn', '-proc:none', '-J-Xmx3g', '-encoding', 'UTF-8', '-d', classes, '-cp', jars, `@${list}`]);
    return { first: ['java', '-cp', [classes, join(folder, 'src', 'main', 'resources'), jars].join(delimiter), 'First'] };
  },

  go(copy) {
    const folder = pacmak(copy, 'go', '--code-only', '--recurse');
    if (!present('go', 'version')) return 'go is not there';
    const modules = readdirSync(folder).map((name) => [/^module (\S+)$/m.exec(readFileSync(join(folder, name, 'go.mod'), 'utf8'))[1], name]);
    const library = join(folder, 'cdk8saso');
    const replacements = modules.map(([path, name]) => `-replace=${path}=../${name}`);
    run('go', ['mod', 'edit', ...replacements.filter((text) => !text.endsWith('/cdk8saso'))], { cwd: library });
    run('go', ['mod', 'tidy'], { cwd: library });
    run('go', ['build', './...'], { cwd: library });
    const program = join(folder, 'first');
    mkdirSync(program);
    cpSync(join(sources, 'first.go'), join(program, 'main.go'));
    run('go', ['mod', 'init', 'first'], { cwd: program });
    run('go', ['mod', 'edit', ...replacements], { cwd: program });
    run('go', ['mod', 'tidy'], { cwd: program });
    run('go', ['build', '-o', 'first', '.'], { cwd: program });
    return { first: [join(program, 'first')] };
  },

  dotnet(copy) {
    pacmak(copy, 'dotnet', '--code-only');
    return 'generated only: this script does not compile C#';
  },
};

const recordOf = (language) => join(out, `${language}.json`);

/** The results that a test may use: never those of an earlier library. */
function check() {
  if (!existsSync(join(root, 'lib', 'index.js'))) return Object.fromEntries(Object.keys(languages).map((name) => [name, { missing: 'the library is not built: npx projen make' }]));
  const stamp = stampOf();
  return Object.fromEntries(Object.keys(languages).map((name) => {
    if (!existsSync(recordOf(name))) return [name, { missing: `not built: node scripts/languages.mjs ${name}` }];
    const record = JSON.parse(readFileSync(recordOf(name), 'utf8'));
    if (record.missing) return [name, { missing: record.missing }];
    if (record.stamp !== stamp) return [name, { missing: `built from another state of the library: node scripts/languages.mjs ${name}` }];
    return [name, { programs: record.programs }];
  }));
}

function build(wanted) {
  if (!existsSync(join(root, 'lib', 'index.js')) || !existsSync(join(root, '.jsii.gz'))) {
    throw new Failure('the library is not built: npx projen make');
  }
  mkdirSync(out, { recursive: true });
  const stamp = stampOf();
  const copy = copyOfPackage();
  try {
    for (const name of wanted) {
      const started = Date.now();
      rmSync(recordOf(name), { force: true });
      const result = languages[name](copy);
      const record = typeof result === 'string' ? { missing: result } : { stamp, programs: result };
      writeFileSync(recordOf(name), `${JSON.stringify(record, undefined, 2)}\n`);
      const done = record.missing ? `code generated, not compiled (${record.missing})` : `built; programs: ${Object.keys(record.programs).join(', ')}`;
      console.log(`${name.padEnd(6)}  ${((Date.now() - started) / 1000).toFixed(1).padStart(6)} s  ${done}`);
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

const args = process.argv.slice(2);
const unknown = args.find((arg) => arg !== '--check' && !(arg in languages));
try {
  if (unknown) throw new Failure(`'${unknown}' is no language of jsii; there are: ${Object.keys(languages).join(', ')}`);
  if (args.includes('--check')) {
    console.log(JSON.stringify(check()));
  } else {
    build(args.length > 0 ? args : Object.keys(languages));
    // The test compares the build results at once; it skips a language that could not be built, with a message.
    const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
    process.exitCode = spawnSync(process.execPath, [jest, 'test/languages'], { cwd: root, stdio: 'inherit' }).status ?? 1;
  }
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  console.error(`languages: ${error.message}`);
  process.exitCode = 1;
}
