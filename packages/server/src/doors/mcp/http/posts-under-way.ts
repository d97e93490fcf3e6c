/**
 * The posts of one HTTP session whose requests are under way.
 *
 * U1. A post with the id of a request that is under way is refused, and so is one that makes too many.
 * U2. A request is under way until it is answered, or cancelled; its client may have gone before. The SDK does not answer
 *     what was cancelled, so the stream of a post ends here when all that was asked in it is cancelled.
 */
import { isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/server';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { answeredBy, cancelledBy, RequestsUnderWay, sameIdSentence } from '../requests-under-way.js';
import { RpcCode, rpcError } from './json-rpc-answer.js';

const MAX = fixedLimits.mcpRequestsUnderWay.value;
const TOO_MANY = `This session has ${MAX} requests under way, which is the most; wait for an answer`;

/** One post: those of its requests that are not answered, and how its answer ends. */
interface Post {
  readonly ids: Set<RequestId>;
  end(): void;
}

export class PostsUnderWay {
  readonly #requests = new RequestsUnderWay();
  readonly #posts = new Map<RequestId, Post>();

  /** The refusal, or a way to take the requests back when the SDK has refused them. */
  begin(message: unknown, end: () => void): Response | { undo(): void } {
    const ids = (Array.isArray(message) ? message : [message])
      .filter((one) => isJSONRPCRequest(one))
      .map(({ id }) => id);
    const [first = null] = ids;
    if (!this.#requests.hasRoom(ids.length)) return rpcError(429, RpcCode.Server, TOO_MANY, first);
    const post: Post = { ids: new Set(), end };
    const undo = () => {
      for (const id of post.ids) this.#forget(id);
    };
    for (const id of ids) {
      if (!this.#requests.begin(id)) {
        undo();
        return rpcError(400, RpcCode.Invalid, sameIdSentence(id), id);
      }
      post.ids.add(id);
      this.#posts.set(id, post);
    }
    return { undo };
  }

  /** The SDK sends this. */
  sent(message: unknown): void {
    const id = answeredBy(message);
    if (id !== undefined) this.#forget(id);
  }

  /** The client has posted this, and the SDK has got it. */
  posted(message: unknown): void {
    for (const one of Array.isArray(message) ? message : [message]) {
      const id = cancelledBy(one);
      const post = id === undefined ? undefined : this.#posts.get(id);
      if (id === undefined || !post) continue;
      this.#forget(id);
      if (post.ids.size === 0) post.end();
    }
  }

  #forget(id: RequestId): void {
    this.#requests.end(id);
    this.#posts.get(id)?.ids.delete(id);
    this.#posts.delete(id);
  }
}
