export * from './flux-object';
