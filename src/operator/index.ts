export * from './bundled-controller';
export * from './bundled-controller-props';
export * from './controller-kinds';
export * from './controller-settings';
export * from './global-credential';
export * from './operator-mode';
export * from './sync-period';
export * from './webhooks';
