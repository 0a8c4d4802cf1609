/** What a service may do with a queue. */
export enum QueueRole {
  /** Send: Azure Service Bus Data Sender. */
  SENDER = 'QueueSender',
  /** Receive: Azure Service Bus Data Receiver. */
  RECEIVER = 'QueueReceiver',
}

/** What a service may do with a topic. */
export enum TopicRole {
  /** Send: Azure Service Bus Data Sender. */
  SENDER = 'TopicSender',
  /** Receive from all its subscriptions: Azure Service Bus Data Receiver. */
  RECEIVER = 'TopicReceiver',
}

/** What a service may do with the data of a storage account. */
export enum StorageRole {
  /** Read, write and delete: the environment's `roles.storageDataWriter`, else the built-in contributors of blobs, tables and files. */
  DATA_WRITER = 'DataWriter',
  /** Read: the environment's `roles.storageDataReader`, else the built-in readers of blobs, tables and files. */
  DATA_READER = 'DataReader',
}

/** What a service may do with a secret of the shared Key Vault. */
export enum SecretRole {
  /** Read its value: Key Vault Secrets User. */
  USER = 'KeyVaultSecretUser',
}
