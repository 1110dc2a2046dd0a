using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using BufferedMessages.Bridges.Torture;

namespace BufferedMessages.Bridges.Tests;

/// <summary>One broker for all tests of the collection, which run one after the other. A test that ends the broker starts it again.</summary>
public sealed class RabbitMqBroker : IAsyncLifetime
{
    public const string Collection = "RabbitMQ";

    private readonly string _folder = Directory.CreateTempSubdirectory("rabbitmq-tls-").FullName;
    private PrivateRabbitMq? _broker;

    public RabbitMqBroker()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=Private authority", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        Authority = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }

    internal PrivateRabbitMq Broker => _broker!;

    /// <summary>The authority of the certificate that the broker has for TLS. Machines do not know it.</summary>
    internal X509Certificate2 Authority { get; }

    public async Task InitializeAsync()
    {
        if (PrivateRabbitMq.IsInstalled)
        {
            _broker = await PrivateRabbitMq.StartAsync(WriteFiles());
        }
    }

    public async Task DisposeAsync()
    {
        if (_broker is not null)
        {
            await _broker.DisposeAsync();
        }

        Authority.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    /// <summary>A stream with a name that no other test has.</summary>
    internal RabbitMqMessageStream NewStream(RabbitMqMessageStreamOptions? options = null) => new(Broker.Uri, $"test-{Guid.NewGuid():N}", options);

    /// <summary>The same stream with other settings, as another program would open it.</summary>
    internal RabbitMqMessageStream Again(RabbitMqMessageStream stream, RabbitMqMessageStreamOptions? options = null) => new(Broker.Uri, stream.Name, options);

    private RabbitMqTls WriteFiles()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        request.CertificateExtensions.Add(names.Build());
        using var certificate = request.Create(Authority, DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddHours(1), [1]);
        var files = new RabbitMqTls(Path.Combine(_folder, "authority.pem"), Path.Combine(_folder, "broker.pem"), Path.Combine(_folder, "key.pem"));
        File.WriteAllText(files.AuthorityFile, Authority.ExportCertificatePem());
        File.WriteAllText(files.CertificateFile, certificate.ExportCertificatePem());
        File.WriteAllText(files.KeyFile, key.ExportPkcs8PrivateKeyPem());
        return files;
    }
}

[CollectionDefinition(RabbitMqBroker.Collection)]
public sealed class RabbitMqCollection : ICollectionFixture<RabbitMqBroker>;
