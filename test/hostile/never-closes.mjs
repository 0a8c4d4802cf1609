// Loaded into the controller by a test: no server of HTTP closes any more, as if a library kept it.
import { Server } from 'node:http';

Server.prototype.close = function close() {
  return this;
};
