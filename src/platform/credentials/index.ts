export * from './credential-delivery-contract';
