import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import tls from 'node:tls';

const createSecureContext = tls.createSecureContext;

/** Connections from now on trust the certificates of a file, as those of a process do that starts with it as NODE_EXTRA_CA_CERTS. */
export function trustAuthorities(file) {
  const ca = file ? [readFileSync(file, 'utf8')] : undefined;
  tls.createSecureContext = (options) => createSecureContext({ ...options, ...(ca && { ca }) });
  syncBuiltinESMExports();
}
