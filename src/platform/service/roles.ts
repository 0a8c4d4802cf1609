/** Roles of a service on a queue. */
export enum QueueRole {
  /** Send: Azure Service Bus Data Sender. */
  SENDER = 'QueueSender',
  /** Receive: Azure Service Bus Data Receiver. */
  RECEIVER = 'QueueReceiver',
}

/** Roles of a service on a topic. */
export enum TopicRole {
  /** Send: Azure Service Bus Data Sender. */
  SENDER = 'TopicSender',
  /** Receive from all its subscriptions: Azure Service Bus Data Receiver. */
  RECEIVER = 'TopicReceiver',
}

/** Roles of a service on a database, each with all that the one before it allows. */
export enum DatabaseRole {
  /** Read all data. */
  READER = 'DatabaseReader',
  /** Read and change all data. */
  WRITER = 'DatabaseWriter',
  /** Read and change all data, and change the schema. */
  OWNER = 'DatabaseOwner',
}

/** Roles of a service on the data of a storage account. */
export enum StorageRole {
  /** Read, write and delete: the environment's `roles.storageDataWriter`, else the built-in contributors of blobs, tables and files. */
  DATA_WRITER = 'DataWriter',
  /** Read: the environment's `roles.storageDataReader`, else the built-in readers of blobs, tables and files. */
  DATA_READER = 'DataReader',
}
