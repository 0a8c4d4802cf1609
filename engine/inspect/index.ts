export * from './types';
export * from './inspect';
export * from './names';
export * from './controllers';
export * from './events';
export * from './store-facts';
export * from './duration-text';
export * from './needs';
