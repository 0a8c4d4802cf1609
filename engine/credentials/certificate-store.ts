import { createHmac, randomBytes } from 'node:crypto';
import { LARGEST_CONTENT, parseClientCertificate, tooLarge, type ClientCertificate } from './certificate';
import type { CertificateInput, CertificateOutput } from './certificate-job';
import { CredentialError } from './types';
import { JobStoppedError } from '../workers/errors';
import type { JobRunner } from '../workers/worker-pool';

/** Reads the certificate of a credential. */
export type CertificateReader = (content: Buffer, password: string | undefined, where: string) => ClientCertificate;

/** Where it is called: for what administrators wrote. */
export const readInline: CertificateReader = parseClientCertificate;

/** The most that a key may take to derive is some 2 s. */
const DEADLINE_MS = 20_000;
const MOST_KEPT = 1000;

/**
 * Certificates of tenants' Secrets: read once, in a worker thread, and remembered by their content, refusals as well. Nothing of what is
 * remembered outlives what made it for long: the oldest go first.
 */
export class CertificateStore {
  private readonly known = new Map<string, CertificateOutput>();
  /** Digests mean nothing outside this process. */
  private readonly digestKey = randomBytes(32);

  public constructor(private readonly jobs: JobRunner) {}

  /** What `prepare` has read. @throws CredentialError */
  public readonly read: CertificateReader = (content, password, where) => {
    if (content.length > LARGEST_CONTENT) throw tooLarge(where);
    const output = this.known.get(this.keyOf({ content, password, where }));
    if (!output) throw new CredentialError(`${where} is being read`, 'CredentialUnavailable');
    if ('refused' in output) throw new CredentialError(output.refused.message, output.refused.problem);
    return output.certificate;
  };

  /** Makes `read` know a certificate, if it does not. @throws QueueFullError */
  public async prepare(input: CertificateInput, namespace: string): Promise<void> {
    const key = this.keyOf(input);
    if (input.content.length > LARGEST_CONTENT || this.known.has(key)) return;
    const output = await this.outputOf(input, namespace);
    this.known.set(key, output);
    if (this.known.size > MOST_KEPT) this.known.delete(this.known.keys().next().value!);
  }

  private async outputOf(input: CertificateInput, namespace: string): Promise<CertificateOutput> {
    try {
      return await this.jobs.run('certificate', input, { namespace, deadlineMs: DEADLINE_MS }) as CertificateOutput;
    } catch (error) {
      if (!(error instanceof JobStoppedError)) throw error;
      const message = `${input.where} is not read: reading it ${error.message}. Export the certificate again, with its chain and key only`;
      return { refused: { message, problem: 'CredentialInvalid' } };
    }
  }

  private keyOf({ content, password = '', where }: CertificateInput): string {
    return createHmac('sha256', this.digestKey).update(JSON.stringify([where, password])).update(content).digest('base64');
  }
}
