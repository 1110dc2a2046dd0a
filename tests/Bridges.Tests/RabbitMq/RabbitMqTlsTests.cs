using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using BufferedMessages.Bridges.Torture;
using RabbitMQ.Client;
using static BufferedMessages.Bridges.Tests.StreamRuns;

namespace BufferedMessages.Bridges.Tests;

public sealed class RabbitMqTlsTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("rabbitmq-tls-").FullName;
    private readonly X509Certificate2 _authority;

    public RabbitMqTlsTests()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=Private authority", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        _authority = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }

    public void Dispose()
    {
        _authority.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [RabbitMqFact]
    public async Task Runs_travel_over_TLS_if_the_certificate_is_valid_and_not_otherwise()
    {
        await using var broker = await PrivateRabbitMq.StartAsync(WriteFiles());
        await using var trusting = new RabbitMqMessageStream(Factory(broker, Trusts), "over-tls");
        await trusting.AppendAsync(0, 10);
        await using var reader = await trusting.OpenReaderAsync(StreamStart.Earliest, Deadline);
        for (var number = 0; number < 10; number++)
        {
            Assert.Equal(number, Number(await reader.ReadAsync(Deadline)));
        }

        // Machines do not know the authority.
        await using var strict = new RabbitMqMessageStream(new Uri($"amqps://guest:guest@localhost:{broker.TlsPort}/"), "over-tls");
        var failure = await Assert.ThrowsAsync<IOException>(async () => await strict.OpenReaderAsync(StreamStart.Earliest, Deadline));
        Assert.Contains("TLS", failure.Message, StringComparison.Ordinal);
    }

    private static ConnectionFactory Factory(PrivateRabbitMq broker, RemoteCertificateValidationCallback validation) => new()
    {
        HostName = "localhost",
        Port = broker.TlsPort,
        Ssl = new SslOption { Enabled = true, ServerName = "localhost", CertificateValidationCallback = validation },
    };

    private bool Trusts(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        using var own = new X509Chain();
        own.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        own.ChainPolicy.CustomTrustStore.Add(_authority);
        own.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        return (errors & ~SslPolicyErrors.RemoteCertificateChainErrors) == SslPolicyErrors.None && own.Build((X509Certificate2)certificate!);
    }

    private RabbitMqTls WriteFiles()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        request.CertificateExtensions.Add(names.Build());
        using var certificate = request.Create(_authority, DateTimeOffset.UtcNow.AddHours(-1), DateTimeOffset.UtcNow.AddHours(1), [1]);
        var files = new RabbitMqTls(Path.Combine(_folder, "authority.pem"), Path.Combine(_folder, "broker.pem"), Path.Combine(_folder, "key.pem"));
        File.WriteAllText(files.AuthorityFile, _authority.ExportCertificatePem());
        File.WriteAllText(files.CertificateFile, certificate.ExportCertificatePem());
        File.WriteAllText(files.KeyFile, key.ExportPkcs8PrivateKeyPem());
        return files;
    }
}
