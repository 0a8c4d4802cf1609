export * from './capture';
export * from './match';
export * from './matcher';
export * from './template';
