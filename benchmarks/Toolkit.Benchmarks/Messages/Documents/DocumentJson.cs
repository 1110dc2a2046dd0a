using System.Text.Json.Serialization;

namespace Toolkit.Benchmarks.Messages.Documents;

/// <summary>System.Text.Json, source generated, for the documents.</summary>
[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(Catalogue))]
[JsonSerializable(typeof(AccessLog))]
internal sealed partial class DocumentJson : JsonSerializerContext;
