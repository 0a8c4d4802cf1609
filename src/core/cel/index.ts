export * from './cel-expression';
