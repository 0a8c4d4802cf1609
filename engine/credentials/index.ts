export * from './types';
export * from './authentication';
export * from './cloud';
export * from './credential-keys';
export * from './credential-resolver';
export * from './exported-secret';
export * from './namespace-tokens';
export * from './token-credential';
