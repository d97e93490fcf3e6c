/** An operation that waits for a person, and its page: the only thing that can be claimed about it is a payment. */
import { randomBytes } from 'node:crypto';
import { PAYER, PAYMENT } from '../arena/chain-nodes.js';
import { type Answer, type Ask, ask } from './http.js';
import { useTool } from './mcp.js';

export class Payment {
  readonly id: string;
  readonly secret: string;
  readonly digest: string;
  readonly url: string;
  readonly #via: Ask;

  constructor(http: string, made: Pick<Payment, 'id' | 'secret' | 'digest'>, via: Ask = ask) {
    this.id = made.id;
    this.secret = made.secret;
    this.digest = made.digest;
    this.url = `${http}/api/operations/${made.id}`;
    this.#via = via;
  }

  /** `extra` goes into the request as it is. */
  static async create(
    http: string,
    token: string,
    chainId: number,
    extra: object = {},
    via: Ask = ask,
  ): Promise<Payment> {
    const steps = [{ id: 'pay', label: 'Pay', txRequest: PAYMENT }];
    const request = {
      type: 'transfer',
      network: 'test',
      chainId,
      summary: { title: 'A payment' },
      steps,
      ...extra,
    };
    const { data } = await useTool<{ data: { id: string; operationUrl: string; digest: string } }>(
      http,
      token,
      'create_operation_handoff',
      request,
      via,
    );
    const secret = new URL(data.operationUrl).hash.replace('#k=', '');
    return new Payment(http, { id: data.id, secret, digest: data.digest }, via);
  }

  read(): Promise<Answer> {
    return this.#via(this.url, { headers: this.#headers });
  }

  /** Claims that the person has sent it. */
  async claim(txHash = `0x${randomBytes(32).toString('hex')}`): Promise<Answer> {
    const posts = [
      { status: 'opened' },
      { status: 'wallet_connected' },
      { status: 'tx_requested', stepId: 'pay', account: PAYER },
    ];
    for (const body of posts) await this.#post(body);
    return this.#post({ status: 'tx_submitted', stepId: 'pay', txHash });
  }

  /** What the server has found out about the claim. */
  async verification(): Promise<string> {
    const { text, code } = await this.read();
    return code === 'OK' ? (JSON.parse(text) as { verification: string }).verification : code;
  }

  #post(body: object): Promise<Answer> {
    return this.#via(`${this.url}/status`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: this.#headers,
    });
  }

  get #headers(): Record<string, string> {
    return { authorization: `Handoff ${this.secret}` };
  }
}
