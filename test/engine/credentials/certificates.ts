import forge from 'node-forge';

export interface TestCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly pkcs12: (password: string) => Buffer;
}

/** A self-signed certificate; one of a negative time has expired. */
export function selfSigned(name = 'localhost', validHours = 1): TestCertificate {
  const keys = forge.pki.rsa.generateKeyPair(2048);
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = keys.publicKey;
  certificate.validity.notBefore = new Date(Date.now() - 36_000_000);
  certificate.validity.notAfter = new Date(Date.now() + validHours * 3_600_000);
  certificate.setSubject([{ name: 'commonName', value: name }]);
  certificate.setIssuer([{ name: 'commonName', value: name }]);
  certificate.setExtensions([{ name: 'basicConstraints', cA: true }, { name: 'subjectAltName', altNames: [{ type: 2, value: name }] }]);
  certificate.sign(keys.privateKey, forge.md.sha256.create());
  return {
    certificate: forge.pki.certificateToPem(certificate),
    key: forge.pki.privateKeyToPem(keys.privateKey),
    pkcs12: (password) =>
      Buffer.from(
        forge.asn1.toDer(forge.pkcs12.toPkcs12Asn1(keys.privateKey, [certificate], password, { algorithm: '3des' })).getBytes(),
        'binary',
      ),
  };
}
