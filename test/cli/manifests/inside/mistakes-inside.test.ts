import { join } from 'node:path';
import { runCommandLine } from '../../../../cli/command-line';
import { MISTAKES } from '../../../core/rules/mistakes';
import { captured, filesIn } from '../../capture';

interface JsonFinding {
  readonly rule: string;
  readonly severity: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly field?: string;
  readonly line?: number;
  readonly message: string;
  readonly inside?: { readonly kind: string };
}

async function findingsOf(text: string): Promise<JsonFinding[]> {
  const terminal = captured();
  await runCommandLine(['check', '--output', 'json', join(filesIn({ 'f.yaml': text }), 'f.yaml')], '0.0.0', terminal);
  return (JSON.parse(terminal.out.join('\n')) as { findings: JsonFinding[] }).findings;
}

const indented = (text: string, spaces: number) => text.trimEnd().replace(/^(?=.)/gm, ' '.repeat(spaces));
const documents = (text: string) => text.split(/^---\n/m).filter((document) => document.trim() !== '');

/** The same documents in other objects, which are applied as they are: as objects, and as texts. */
const WRAPPED: Readonly<Record<string, (text: string) => string>> = {
  'a ManifestWork': (text) => 'apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: { name: all, namespace: clusters }\nspec:\n  workload:\n    manifests:\n'
    + documents(text).map((document) => `${indented(document, 6).replace(/^ {6}/, '    - ')}\n`).join(''),
  'texts in a HelmRelease': (text) => 'apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: all }\nspec:\n  values:\n    extraDeploy:\n'
    + documents(text).map((document) => `    - |\n${indented(document, 6)}\n`).join(''),
};
/** The names of messages about another object say where that one stands. */
const comparable = (text: string, prefix: RegExp) => ({ rule, severity, kind, namespace, name, field, line, message }: JsonFinding) => ({
  rule,
  severity,
  object: `${kind} ${namespace}/${name}`,
  field: field?.replace(prefix, ''),
  written: text.split('\n')[(line ?? 1) - 1]?.replace(/^[\s-]+/, ''),
  message,
});
const inOrder = <T>(list: readonly T[]) => list.map((one) => JSON.stringify(one)).sort();

const PREFIX = /^spec\.(?:workload\.manifests|values\.extraDeploy)\[\d+\]\.?/;

describe.each(Object.keys(WRAPPED))('a mistake in %s is found as one beside it', (wrapper) => {
  test.each(MISTAKES.map(({ rule, what, wrong }) => [`${rule}: ${what}`, wrong] as const))('%s', async (_, wrong) => {
    const inside = WRAPPED[wrapper]!(wrong);
    const [plain, inner] = [await findingsOf(wrong), await findingsOf(inside)];
    // Objects that hold nothing of Azure are left alone.
    if (!/\.azure\.com\/|azure\.microsoft\.com\//.test(wrong.replaceAll('serviceoperator.azure.com/', ''))) return;
    expect(inOrder(inner.map(comparable(inside, PREFIX)))).toEqual(inOrder(plain.map(comparable(wrong, PREFIX))));
    expect(inner.every((finding) => finding.inside !== undefined)).toBe(true);
  });
});
