using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

/// <summary>The reader of the output is gone before the tool writes to it, as after `| head`.</summary>
public sealed class ClosedOutputTests : IDisposable
{
    private readonly QueueDirectory _directory = new(QueueMode.Durable, ProducerMode.Multiple);

    public ClosedOutputTests()
    {
        var damage = DamageCase.Of(QueueMode.Durable).First();
        damage.Fill(_directory);
        damage.Make(_directory);
    }

    public void Dispose() => _directory.Dispose();

    [FileTheory("/bin/sh")]
    [InlineData("verify . --all", "1\n")]
    [InlineData("repair .", "Nothing was changed. --apply takes these steps, and then any that the result still needs.\n1\n")]
    [InlineData("repair . --apply", "The output was closed, so the repair ended between two steps. Run it again.\n2\n")]
    public async Task Damage_keeps_its_exit_code_and_a_repair_says_that_it_did_not_end(string command, string expected)
    {
        var output = await Shell.RunAsync(_directory.Path, $"{{ bufferedmessages {command}; echo $? >&2; }} | true");

        Assert.Equal(expected, output);
        Assert.Equal(1, (await ToolRun.InProcessAsync("verify", _directory.Path, "--all")).Code);
        Assert.Equal(0, (await ToolRun.InProcessAsync("repair", _directory.Path, "--apply")).Code);
        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", _directory.Path, "--all")).Code);
    }
}
