import { createHmac, randomBytes } from 'node:crypto';
import { LARGEST_CONTENT, parseClientCertificate, tooLarge, type ClientCertificate } from './certificate';
import type { CertificateInput, CertificateOutput } from './certificate-job';
import { CredentialError } from './types';
import { setNewest } from '../../src/util/set-newest';
import { JobStoppedError } from '../workers/errors';
import type { JobRunner } from '../workers/worker-pool';

/** Reads the certificate of a credential. */
export type CertificateReader = (content: Buffer, password: string | undefined, where: string) => ClientCertificate;

/** Reads in the calling thread: only for certificates that administrators wrote. */
export const readInline: CertificateReader = parseClientCertificate;

/** A key takes at most some 2 s to derive. */
const DEADLINE_MS = 20_000;
const MOST_KEPT = 1000;

/**
 * Certificates of tenants' Secrets: each is read once, in a worker thread, and cached by its content, as are failures. The oldest entries
 * are evicted first, so no entry outlives its Secret for long.
 */
export class CertificateStore {
  private readonly known = new Map<string, CertificateOutput>();
  /** Random key, so that the digests are useless outside this process. */
  private readonly digestKey = randomBytes(32);

  public constructor(private readonly jobs: JobRunner) {}

  /** Returns the result of `prepare`. @throws CredentialError */
  public readonly read: CertificateReader = (content, password, where) => {
    if (content.length > LARGEST_CONTENT) throw tooLarge(where);
    const output = this.known.get(this.keyOf({ content, password, where }));
    if (!output) throw new CredentialError(`${where} is being read`, 'CredentialUnavailable');
    if ('refused' in output) throw new CredentialError(output.refused.message, output.refused.problem);
    return output.certificate;
  };

  /** Reads a certificate for `read` unless it is cached. @throws QueueFullError */
  public async prepare(input: CertificateInput, namespace: string): Promise<void> {
    const key = this.keyOf(input);
    if (input.content.length > LARGEST_CONTENT || this.known.has(key)) return;
    const output = await this.outputOf(input, namespace);
    setNewest(this.known, key, output, MOST_KEPT);
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
