using System.Text.Json;
using System.Xml.Linq;
using BufferedMessages.Samples.Tests.Running;

namespace BufferedMessages.Samples.Tests.Packaging;

/// <summary>The templates as users get them: installed from the package, and their projects built with packages from a folder, outside of the repository.</summary>
/// <param name="templates">The templates.</param>
public sealed class TemplateTests(InstalledTemplates templates) : IClassFixture<InstalledTemplates>, IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(5);

    private readonly PackageConsumer _consumer = new();

    public static TheoryData<string> Templates => ["bufferedmessages-worker", "bufferedmessages-pair"];

    public void Dispose() => _consumer.Dispose();

    [Fact]
    public async Task A_new_worker_publishes_and_handles_its_messages()
    {
        var project = await NewAsync("bufferedmessages-worker", "Shop");

        (await _consumer.DotnetAsync("build", project)).Succeeded();

        using var worker = SampleProcess.StartDotnetIn(project, "bin/Debug/net10.0/Shop.dll");
        await ReadMessagesAsync(Path.Combine(project, "data", "orders"), "shipping");
    }

    [Fact]
    public async Task A_new_pair_carries_messages_between_its_processes()
    {
        var folder = await NewAsync("bufferedmessages-pair", "Shop");
        (await _consumer.BuildAsync("Shop/Producer/Producer.csproj", "Shop/Consumer/Consumer.csproj")).Succeeded();

        // A name is a folder where the program was started, as is its path.
        var queue = Path.Combine(folder, "queue");
        using var producer = SampleProcess.StartDotnetIn(folder, "Producer/bin/Debug/net10.0/Producer.dll", "queue");
        using var consumer = SampleProcess.StartDotnetIn(folder, "Consumer/bin/Debug/net10.0/Consumer.dll", queue);
        await ReadMessagesAsync(queue, "shipping");
    }

    [Fact]
    public async Task A_new_project_compiles_if_its_name_is_a_keyword_a_number_or_that_of_a_type_in_its_code()
    {
        (string Template, string Name, string Project)[] projects =
        [
            ("bufferedmessages-worker", "class", "class/class.csproj"),
            ("bufferedmessages-worker", "Order", "Order/Order.csproj"),
            ("bufferedmessages-worker", "Host.Task", "Host.Task/Host.Task.csproj"),
            ("bufferedmessages-pair", "Order.class.1a", "Order.class.1a/Producer/Producer.csproj"),
            ("bufferedmessages-pair", "Path.Guid", "Path.Guid/Producer/Producer.csproj"),
        ];
        foreach (var (template, name, _) in projects)
        {
            await NewAsync(template, name);
        }

        (await _consumer.BuildAsync([.. projects.Select(static project => project.Project)])).Succeeded();
    }

    [Theory]
    [MemberData(nameof(Templates))]
    public void A_template_references_the_packages_of_its_own_version(string template)
    {
        using var json = JsonDocument.Parse(Repository.Read($"templates/content/{template}/.template.config/template.json"));

        Assert.Equal(
            Assert.Single(XDocument.Parse(Repository.Read("Directory.Build.props")).Descendants("Version")).Value,
            json.RootElement.GetProperty("symbols").GetProperty("packageVersion").GetProperty("defaultValue").GetString());
    }

    private async Task<string> NewAsync(string template, string name)
    {
        await _consumer.WriteFeedAsync();
        (await _consumer.DotnetAsync(["new", template, "-n", name, "-o", name, .. templates.Hive()])).Succeeded();
        return _consumer.PathOf(name);
    }

    // The consumer has committed a message: one was published and handled.
    private static async Task ReadMessagesAsync(string path, string name)
    {
        using var limit = new CancellationTokenSource(Limit);
        while (!HasRead(path, name))
        {
            await Task.Delay(TimeSpan.FromMilliseconds(50), limit.Token);
        }
    }

    private static bool HasRead(string path, string name)
    {
        if (!MessageQueue.Exists(path))
        {
            return false;
        }

        using var queue = MessageQueue.OpenExisting(path);
        var statistics = queue.GetStatistics();
        return statistics.Consumers.Any(consumer => consumer.Name == name && consumer.Position > statistics.FirstPosition + 128);
    }
}
