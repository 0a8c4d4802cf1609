import { ownPackage, toolVersions } from './own-package';
import { withoutTrailing } from '../../src/azure/trailing-slashes';

export interface TypeScriptAppOptions {
  /** Any text, e.g. that of a folder. */
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
}

/** The files of an app in TypeScript that are the same whatever the app contains. */
export function typeScriptAppFiles({ name, scripts }: TypeScriptAppOptions): Record<string, string> {
  const own = ownPackage();
  return {
    'cdk8s.yaml': cdk8sFile('typescript', 'node --import tsx main.ts'),
    'package.json': json({
      name: packageName(name),
      private: true,
      scripts,
      dependencies: { ...own.peerDependencies, [own.name]: `^${own.version}` },
      devDependencies: toolVersions(['cdk8s-cli', 'tsx', 'typescript', '@types/node']),
    }),
    'tsconfig.json': json({
      compilerOptions: {
        target: 'ES2022',
        module: 'nodenext',
        moduleResolution: 'nodenext',
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        types: ['node'],
      },
      include: ['*.ts'],
    }),
  };
}

/** The file by which `cdk8s synth` knows how an app is run. */
export function cdk8sFile(language: 'typescript' | 'python', app: string): string {
  return `language: ${language}\napp: ${app}\noutput: dist\n`;
}

/** A name that npm takes: lower case, digits and hyphens. */
export function packageName(name: string): string {
  return withoutTrailing(name.toLowerCase().replace(/[^a-z0-9-]+/g, '-').replace(/^-+/, ''), '-') || 'app';
}

export function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
