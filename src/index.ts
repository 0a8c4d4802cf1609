export * from './azure';
