using System.Text.Json;
using BufferedMessages.Runtime.Tests.Queues;

namespace BufferedMessages.Tool.Tests;

/// <summary>The damage of the list that the runtime's tests have: verify names it, and repair brings every sound message back.</summary>
public abstract class DamageTests(QueueMode mode, ProducerMode producers) : IDisposable
{
    private readonly QueueDirectory _directory = new(mode, producers);

    public void Dispose()
    {
        _directory.Dispose();
        GC.SuppressFinalize(this);
    }

    [Fact]
    public async Task A_sound_queue_ends_with_0()
    {
        foreach (var isLong in new[] { false, true })
        {
            DamageCase.Of(mode).First(damage => damage.IsLong == isLong).Fill(_directory);

            var run = await ToolRun.InProcessAsync("verify", _directory.Path, "--all");

            Assert.Equal((0, ""), (run.Code, run.Errors));
            Assert.EndsWith(": sound\n", run.Output, StringComparison.Ordinal);
        }
    }

    [Fact]
    public async Task Each_damage_is_named_by_file_position_and_rule_and_repaired_with_every_sound_message()
    {
        var faults = new List<string>();
        foreach (var damage in DamageCase.Of(mode))
        {
            damage.Fill(_directory);
            damage.Make(_directory);
            try
            {
                await RequireNamed(damage);
                await RequireRepaired(damage);
            }
            catch (Xunit.Sdk.XunitException exception)
            {
                faults.Add($"{damage}: {exception.Message}");
            }

            Directory.Delete(_directory.Path, recursive: true);
        }

        Assert.True(faults.Count == 0, string.Join("\n\n", faults));
    }

    private async Task RequireNamed(DamageCase damage)
    {
        var before = FolderContent.Of(_directory.Path);

        var run = await ToolRun.InProcessAsync("verify", _directory.Path, "--all", "--json");

        Assert.Equal((1, ""), (run.Code, run.Errors));
        Assert.Equal(before, FolderContent.Of(_directory.Path));
        var found = run.Lines.Select(static line => JsonDocument.Parse(line).RootElement).Where(static line => line.TryGetProperty("finding", out var kind) && kind.GetString() == "damaged").ToList();
        Assert.True(found.Count == 1, run.Output);
        Assert.Equal(damage.File(_directory), found[0].GetProperty("file").GetString());
        Assert.Equal(damage.Position, found[0].GetProperty("position").GetInt64());
        Assert.Contains(damage.Rule, found[0].GetProperty("rule").GetString(), StringComparison.Ordinal);
    }

    private async Task RequireRepaired(DamageCase damage)
    {
        var before = FolderContent.Of(_directory.Path);
        var plan = await ToolRun.InProcessAsync("repair", _directory.Path);
        Assert.Equal(1, plan.Code);
        Assert.StartsWith("would  ", plan.Output, StringComparison.Ordinal);
        Assert.Equal(before, FolderContent.Of(_directory.Path));

        var run = await ToolRun.InProcessAsync("repair", _directory.Path, "--apply");

        Assert.True((0, "") == (run.Code, run.Errors), run.Output + run.Errors);
        Assert.Equal(0, (await ToolRun.InProcessAsync("verify", _directory.Path, "--all")).Code);
        using var queue = MessageQueue.OpenExisting(_directory.Path);
        using var producer = queue.OpenProducer();
        producer.Publish(Payload.Of(-1));
        using var consumer = queue.OpenConsumer<RawMessage>("all");
        foreach (var payload in damage.Sound().Append(Payload.Of(-1)))
        {
            Assert.True(consumer.TryRead(out var delivery));
            Assert.Equal(payload, delivery.Message.Bytes);
            delivery.Commit();
        }

        Assert.False(consumer.TryRead(out _));
    }

    public sealed class DurableSingle() : DamageTests(QueueMode.Durable, ProducerMode.Single);

    public sealed class DurableMany() : DamageTests(QueueMode.Durable, ProducerMode.Multiple);

    public sealed class BoundedSingle() : DamageTests(QueueMode.Bounded, ProducerMode.Single);

    public sealed class BoundedMany() : DamageTests(QueueMode.Bounded, ProducerMode.Multiple);
}
