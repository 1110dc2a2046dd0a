using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using RabbitMQ.Client;
using static BufferedMessages.Bridges.Tests.StreamRuns;

namespace BufferedMessages.Bridges.Tests;

[Collection(RabbitMqBroker.Collection)]
public sealed class RabbitMqTlsTests(RabbitMqBroker fixture)
{
    [RabbitMqFact]
    public async Task Runs_travel_over_TLS_if_the_certificate_is_valid_and_not_otherwise()
    {
        await using var trusting = new RabbitMqMessageStream(Factory(Trusts), "over-tls");
        await trusting.AppendAsync(0, 10);
        await using var reader = await trusting.OpenReaderAsync(StreamStart.Earliest, Deadline);
        for (var number = 0; number < 10; number++)
        {
            Assert.Equal(number, Number(await reader.ReadAsync(Deadline)));
        }

        // Machines do not know the authority.
        await using var strict = new RabbitMqMessageStream(new Uri($"amqps://guest:guest@localhost:{fixture.Broker.TlsPort}/"), "over-tls");
        var failure = await Assert.ThrowsAsync<IOException>(async () => await strict.OpenReaderAsync(StreamStart.Earliest, Deadline));
        Assert.Contains("TLS", failure.Message, StringComparison.Ordinal);
    }

    private ConnectionFactory Factory(RemoteCertificateValidationCallback validation) => new()
    {
        HostName = "localhost",
        Port = fixture.Broker.TlsPort,
        Ssl = new SslOption { Enabled = true, ServerName = "localhost", CertificateValidationCallback = validation },
    };

    private bool Trusts(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        using var own = new X509Chain();
        own.ChainPolicy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        own.ChainPolicy.CustomTrustStore.Add(fixture.Authority);
        own.ChainPolicy.RevocationMode = X509RevocationMode.NoCheck;
        return (errors & ~SslPolicyErrors.RemoteCertificateChainErrors) == SslPolicyErrors.None && own.Build((X509Certificate2)certificate!);
    }
}
