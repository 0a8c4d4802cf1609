export * from './facts';
export * from './owner-graph';
