export * from './aso-argo-installation';
export * from './aso-chart-values';
export * from './aso-helm-chart';
export * from './aso-helm-installation';
export * from './chart-parts';
export * from './chart-props';
