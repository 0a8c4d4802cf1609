import { join } from 'node:path';
import { transformSync } from 'esbuild';
import ts from 'typescript';
import type { Mistake } from './mistake';

const root = join(__dirname, '..', '..');
const file = join(__dirname, 'snippets.generated.ts');

const SERVICES = [
  'authorization',
  'communication',
  'dbformysql',
  'dbforpostgresql',
  'documentdb',
  'entra',
  'keyvault',
  'managedidentity',
  'network',
  'resources',
  'servicebus',
  'sql',
  'storage',
];

/** Names that are in scope of every snippet. The compiler reads the built declarations, as in a user's project; jest runs the sources. */
const SCENE = `
import { ApiObject, App, Chart } from 'cdk8s';
import {
  AsoAuthentication, AsoCredential, AsoRelease, AzureReference, BuiltInRole, ConfigMapValue, CredentialReference, ReconcilePolicy, RemovalPolicy, RoleGrant,
  SecretMap, SecretValue, Tags,
} from 'cdk8s-aso';
${SERVICES.map((name) => `import * as ${name} from 'cdk8s-aso/${name}';`).join('\n')}

export const uses = [ApiObject, AsoAuthentication, AsoCredential, AsoRelease, AzureReference, BuiltInRole, ConfigMapValue, CredentialReference, ReconcilePolicy,
  RemovalPolicy, RoleGrant, SecretMap, SecretValue, Tags, ${SERVICES.join(', ')}];
const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';
const UUID = '99999999-2222-3333-4444-555555555555';
const ADMIN = { serverAdminUsername: 'admin', serverAdminPassword: SecretValue.fromSecret('db', 'admin') };
const LOCAL = { ...ADMIN, password: SecretValue.fromSecret('db', 'user') };
const SKU = { kind: storage.StorageAccountKind.STORAGE_V2, sku: { name: storage.SkuName.STANDARD_LRS } };
const USER = { type: storage.IdentityType.USER_ASSIGNED };
const TOKEN = { audiences: ['api://AzureADTokenExchange'], issuer: 'https://issuer' };
function scene() {
  const app = new App();
  const chart = new Chart(app, 'shop', { namespace: 'shop', disableResourceNameHashes: true });
  const other = new Chart(app, 'other', { namespace: 'other', disableResourceNameHashes: true });
  const group = new resources.ResourceGroup(chart, 'group', { location: 'uksouth' });
  const account = new storage.StorageAccount(chart, 'account', { owner: group, location: 'uksouth', ...SKU, azureName: 'shopdata' });
  const identity = new managedidentity.UserAssignedIdentity(chart, 'identity', { owner: group, location: 'uksouth' });
  return { app, chart, other, group, account, identity, base: { owner: group, location: 'uksouth' }, sa: { owner: group, location: 'uksouth', ...SKU } };
}
`;

export interface Diagnostic {
  /** The line of the snippet, from 1. */
  readonly line: number;
  readonly message: string;
}

interface Snippet {
  readonly first: number;
  readonly last: number;
}

/** All snippets as one file: the library's types are read once. */
export class SnippetProgram {
  private readonly text: string;
  private readonly places: readonly (readonly [wrong: Snippet, right: Snippet])[];
  private diagnostics?: readonly { readonly line: number; readonly message: string }[];

  public constructor(mistakes: readonly Mistake[]) {
    const lines = SCENE.split('\n');
    const add = (name: string, code: string): Snippet => {
      lines.push(`export function ${name}() {`, '  const { app, chart, other, group, account, identity, base, sa } = scene();');
      const first = lines.length + 1;
      lines.push(...code.split('\n'));
      const last = lines.length;
      lines.push('  return { app, used: [chart, other, group, account, identity, base, sa] };', '}');
      return { first, last };
    };
    this.places = mistakes.map(({ wrong, right }, index) => [add(`wrong${index}`, wrong), add(`right${index}`, right)]);
    this.text = lines.join('\n');
  }

  /** Compiler messages of a snippet. */
  public diagnosticsOf(index: number, which: 'wrong' | 'right'): Diagnostic[] {
    const { first, last } = this.places[index]![which === 'wrong' ? 0 : 1];
    return this.compiled()
      .filter(({ line }) => line >= first && line <= last)
      .map(({ line, message }) => ({ line: line - first + 1, message }));
  }

  /** Compiler messages outside of snippets. */
  public get otherDiagnostics(): readonly { readonly line: number; readonly message: string }[] {
    return this.compiled().filter(({ line }) => !this.places.flat().some(({ first, last }) => line >= first && line <= last));
  }

  /** The functions of the snippets; each makes an app of its own. */
  public load(): Record<string, SnippetFunction> {
    const { code } = transformSync(this.text, { loader: 'ts', format: 'cjs', target: 'node20' });
    const module = { exports: {} };
    // eslint-disable-next-line @typescript-eslint/no-require-imports, @typescript-eslint/no-implied-eval
    new Function('require', 'module', 'exports', code)((name: string) => require(name), module, module.exports);
    return module.exports;
  }

  private compiled(): readonly { readonly line: number; readonly message: string }[] {
    if (this.diagnostics) return this.diagnostics;
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts'],
      module: ts.ModuleKind.Node16,
      moduleResolution: ts.ModuleResolutionKind.Node16,
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [join(root, 'node_modules', '@types')],
    };
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists } = host;
    const snippets = (language: ts.ScriptTarget | ts.CreateSourceFileOptions) => ts.createSourceFile(file, this.text, language);
    const program = ts.createProgram([file], options, {
      ...host,
      fileExists: (path) => path === file || fileExists(path),
      getSourceFile: (path, language, ...rest) => (path === file ? snippets(language) : getSourceFile(path, language, ...rest)),
    });
    const source = program.getSourceFile(file)!;
    this.diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map((diagnostic) => ({
      line: source.getLineAndCharacterOfPosition(diagnostic.start ?? 0).line + 1,
      message: ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ').replace(/\s+/g, ' '),
    }));
    return this.diagnostics;
  }
}

interface Synthesizable {
  synthYaml(): string;
}

/** Makes an app of the snippet. */
export type SnippetFunction = () => { readonly app: Synthesizable };

/** The last stage that a snippet reached, and its messages. */
export interface Messages {
  readonly found: 'construct' | 'synth' | 'never';
  readonly messages: string[];
}

/** Messages of a snippet's run and of the synthesis of its app, one per line. */
export function messagesOf(run: SnippetFunction): Messages {
  let app: Synthesizable;
  try {
    ({ app } = run());
  } catch (error) {
    return { found: 'construct', messages: [(error as Error).message] };
  }
  try {
    app.synthYaml();
    return { found: 'never', messages: [] };
  } catch (error) {
    return {
      found: 'synth',
      messages: (error as Error).message
        .split('\n')
        .slice(1)
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    };
  }
}
