export { redactError } from './errors';
export { redactTokens } from './patterns';
export { redact, redactSecrets } from './secrets';
