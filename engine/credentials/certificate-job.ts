import { parseClientCertificate, type ClientCertificate } from './certificate';
import { CredentialError, type CredentialProblem } from './types';

/** Input of the part of `certificate-store.ts` that runs in worker threads. */
export interface CertificateInput {
  readonly content: Uint8Array;
  readonly password?: string | undefined;
  readonly where: string;
}

export type CertificateOutput =
  | { readonly certificate: ClientCertificate }
  | { readonly refused: { readonly message: string; readonly problem: CredentialProblem } };

export function readCertificate({ content, password, where }: CertificateInput): CertificateOutput {
  try {
    return { certificate: parseClientCertificate(Buffer.from(content), password, where) };
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error;
    return { refused: { message: error.message, problem: error.problem } };
  }
}
