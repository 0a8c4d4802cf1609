import { Catalog, type KindVersion } from '../../src/catalog';
import { ownValue } from '../../src/util/elements';
import { readCertificate, type CertificateInput } from '../credentials/certificate-job';
import { checkExpressions, evaluateExports, type ExportsInput, type ExpressionsInput } from '../export/expression-jobs';

/** The jobs of a worker thread. Input and output are plain values; refusals for users are values too. */
const JOBS: Readonly<Record<string, (input: never) => unknown>> = {
  certificate: (input: CertificateInput) => readCertificate(input),
  exports: (input: ExportsInput) => evaluateExports(versionOf(input), input),
  expressions: (input: ExpressionsInput) => checkExpressions(versionOf(input), input),
};

export function runJob(name: string, input: unknown): unknown {
  const job = ownValue(JOBS, name);
  if (!job) throw new Error(`there is no job ${name}`);
  return job(input as never);
}

function versionOf({ type }: { readonly type: { readonly group: string; readonly kind: string; readonly version: string } }): KindVersion {
  const version = Catalog.default().kind(type.group, type.kind)?.version(type.version);
  if (!version) throw new Error(`the catalog has no ${type.kind} of ${type.group}/${type.version}`);
  return version;
}
