using BufferedMessages.Bridges.Torture;

namespace BufferedMessages.Bridges.Tests;

/// <summary>Short runs of the torture: real processes, real brokers, kill -9; and the proof that it finds faults.</summary>
[Collection(nameof(TortureTests))]
public sealed class TortureTests
{
    [RedisFact]
    public Task Kills_and_restarts_lose_and_repeat_nothing_with_Redis() => RunAsync(0, "--broker", "redis", "--seconds", "14", "--restarts", "4", "--cuts", "4");

    [RabbitMqFact]
    public Task Kills_and_restarts_lose_and_repeat_nothing_with_RabbitMQ() => RunAsync(0, "--broker", "rabbitmq", "--seconds", "20", "--restarts", "5", "--cuts", "5");

    [RedisTheory]
    [InlineData("journal-first")]
    [InlineData("no-chain")]
    [InlineData("no-epoch")]
    public async Task A_planted_fault_is_found(string fault)
    {
        // Whether a kill or a cut meets the fault is a matter of time.
        var found = false;
        using var output = new StringWriter();
        for (var seed = 4; seed < 16 && !found; seed++)
        {
            string[] arguments = ["--broker", "redis", "--seconds", "7", "--restarts", "0", "--cuts", "2", "--fault", fault, "--seed", $"{seed}"];
            found = await TortureCommand.RunAsync(arguments, output) == 1;
        }

        Assert.True(found, output.ToString());

        // The exit code is also 1 if no message has come.
        Assert.Matches("messages [1-9].* (lost|duplicated|disordered|corrupt) [1-9]", output.ToString());
    }

    private static async Task RunAsync(int expected, params string[] arguments)
    {
        using var output = new StringWriter();
        var code = await TortureCommand.RunAsync([.. arguments, "--seed", "4"], output);
        Assert.True(code == expected, output.ToString());
    }
}
