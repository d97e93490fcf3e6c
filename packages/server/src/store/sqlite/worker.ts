/** The entry of both threads: opens one connection, answers requests in order, closes when told. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { createAgentFinder, createAgentTable, findsAgents, notesAgent } from './agents.js';
import { opening, openReaderConnection, openWriterConnection } from './connection.js';
import { changesCredentials, createCredentialFinder, createCredentialTable } from './credentials.js';
import type { Database } from './driver.js';
import { lockFolder } from './lock.js';
import { type Call, plainFault, READY, type Reply, type Request, type WorkerData } from './protocol.js';
import { createReader } from './reader.js';
import { changesReceipts, createReceiptFinder, createReceiptTable } from './receipts.js';
import { readFault } from './sqlite-error.js';
import { createWriter } from './writer.js';

interface Served {
  readonly position: number;
  handle(request: Request): unknown;
  close(): void;
}

function serveWriter({ folder }: WorkerData): Served {
  const lock = lockFolder(folder.lock);
  try {
    const db = openWriterConnection(folder.database);
    const writer = opening(folder.database, () => createWriter(db));
    const credentials = createCredentialTable(db);
    const agents = createAgentTable(db);
    const receipts = createReceiptTable(db);
    return {
      position: writer.position(),
      handle(request) {
        if (request.verb === 'commit') return writer.commit(request.packed);
        if (request.verb === 'seen') return writer.seen(request.packed);
        if (request.verb === 'usage') return writer.usage(request.packed);
        if (changesCredentials(request)) return credentials(request);
        if (notesAgent(request)) return agents(request);
        if (changesReceipts(request)) return receipts(request);
        throw new Error(`the writer does not know ${request.verb}`);
      },
      close() {
        tidy(db);
        db.close();
        lock.release();
      },
    };
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

/** Leaves a folder that can be copied as one file. Only a courtesy: the WAL holds everything, so it may fail. */
function tidy(db: Database): void {
  try {
    // A read-only tool beside us may hold a snapshot: do not wait for it.
    db.exec('PRAGMA busy_timeout = 0');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } catch {
    // The next start reads the WAL.
  }
}

function serveReader({ folder }: WorkerData): Served {
  const db = openReaderConnection(folder.database);
  const read = opening(folder.database, () => createReader(db));
  const findCredentials = opening(folder.database, () => createCredentialFinder(db));
  const findAgents = opening(folder.database, () => createAgentFinder(db));
  const findReceipt = opening(folder.database, () => createReceiptFinder(db));
  return {
    position: 0,
    handle(request) {
      if (request.verb === 'credential.find') return findCredentials(request);
      if (findsAgents(request)) return findAgents(request);
      if (request.verb === 'receipt.find') return findReceipt(request);
      if (
        request.verb === 'commit' ||
        request.verb === 'seen' ||
        request.verb === 'usage' ||
        request.verb === 'close' ||
        notesAgent(request) ||
        changesReceipts(request) ||
        changesCredentials(request)
      )
        throw new Error(`the reader does not know ${request.verb}`);
      return read(request);
    },
    close: () => db.close(),
  };
}

function serve(port: MessagePort, data: WorkerData): void {
  const reply = (message: Reply) => {
    const packed = 'value' in message && message.value instanceof Uint8Array ? [message.value.buffer] : [];
    port.postMessage(message, packed as ArrayBuffer[]);
  };
  const attempt = (id: number, work: () => unknown) => {
    try {
      reply({ id, value: work() });
      return true;
    } catch (thrown) {
      reply({ id, fault: plainFault(readFault(thrown)) });
      return false;
    }
  };

  let served: Served | undefined;
  const opened = attempt(READY, () => {
    served = data.role === 'writer' ? serveWriter(data) : serveReader(data);
    return served.position;
  });
  if (!opened) {
    port.close();
    return;
  }
  port.on('message', ({ id, request }: Call) => {
    const closes = request.verb === 'close';
    attempt(id, () => (closes ? served?.close() : served?.handle(request)));
    if (closes) port.close();
  });
}

if (parentPort) serve(parentPort, workerData as WorkerData);
