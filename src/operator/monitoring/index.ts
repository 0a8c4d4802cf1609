export * from './controller-alerts';
export * from './controller-dashboard';
