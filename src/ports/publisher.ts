// A public network in which anyone finds a file by an id derived from its bytes. A published file cannot be withdrawn.

export type Publisher = {
  /** Returns the CID, which the bytes determine; publishing again is harmless. Throws when the node rejects them. */
  publish(bytes: Uint8Array): Promise<string>
}
