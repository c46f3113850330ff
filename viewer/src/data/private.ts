// Addresses that many networks use: the same address in two captures may belong to two hosts.

/** Whether `address` is private (RFC 1918, RFC 4193), loopback or link-local. */
export function isPrivate(address: string): boolean {
    const octets = /^(\d+)\.(\d+)\.\d+\.\d+$/.exec(address);
    if (octets) {
        const [first, second] = [Number(octets[1]), Number(octets[2])];
        return (
            first === 10 ||
            first === 127 ||
            (first === 172 && second >= 16 && second < 32) ||
            (first === 192 && second === 168) ||
            (first === 169 && second === 254)
        );
    }
    return address === '::1' || /^f[cd][0-9a-f]{2}:/i.test(address) || /^fe[89ab][0-9a-f]:/i.test(address);
}
