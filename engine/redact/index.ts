export { redactError } from './errors';
export { redactTokens, REDACTED } from './patterns';
export { redact, redactSecrets } from './secrets';
