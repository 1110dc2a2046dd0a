using BufferedMessages;

namespace Toolkit.Benchmarks.Messages.Documents;

/// <summary>A catalogue of concerts: dictionaries by numbers that are text, nested lists, and much that is null.</summary>
/// <remarks>The catalogue of tests/CrossProcess is not this file: its elements may be null, which the benchmark's peers have no form for.</remarks>
[BufferedMessageSource]
public sealed partial class Catalogue
{
    public Dictionary<string, string>? AreaNames { get; set; }
    public Dictionary<string, string>? AudienceSubCategoryNames { get; set; }
    public Dictionary<string, string>? BlockNames { get; set; }
    public Dictionary<string, Concert>? Events { get; set; }
    public List<Performance>? Performances { get; set; }
    public Dictionary<string, string>? SeatCategoryNames { get; set; }
    public Dictionary<string, string>? SubTopicNames { get; set; }
    public Dictionary<string, string>? SubjectNames { get; set; }
    public Dictionary<string, string>? TopicNames { get; set; }
    public Dictionary<string, List<long>>? TopicSubTopics { get; set; }
    public Dictionary<string, string>? VenueNames { get; set; }
}

[BufferedMessageSource]
public sealed partial class Concert
{
    public string? Description { get; set; }
    public long? Id { get; set; }
    public string? Logo { get; set; }
    public string? Name { get; set; }
    public List<long>? SubTopicIds { get; set; }
    public string? SubjectCode { get; set; }
    public string? Subtitle { get; set; }
    public List<long>? TopicIds { get; set; }
}

[BufferedMessageSource]
public sealed partial class Performance
{
    public long? EventId { get; set; }
    public long? Id { get; set; }
    public string? Logo { get; set; }
    public string? Name { get; set; }
    public List<Price>? Prices { get; set; }
    public List<SeatCategory>? SeatCategories { get; set; }
    public string? SeatMapImage { get; set; }
    public long? Start { get; set; }
    public string? VenueCode { get; set; }
}

[BufferedMessageSource]
public sealed partial class Price
{
    public int? Amount { get; set; }
    public long? AudienceSubCategoryId { get; set; }
    public long? SeatCategoryId { get; set; }
}

[BufferedMessageSource]
public sealed partial class SeatCategory
{
    public List<Area>? Areas { get; set; }
    public long? SeatCategoryId { get; set; }
}

[BufferedMessageSource]
public sealed partial class Area
{
    public long? AreaId { get; set; }
    public List<long>? BlockIds { get; set; }
}
